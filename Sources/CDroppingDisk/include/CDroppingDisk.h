// A disk in memory for SQLite, for one connection at a time, that can lose its power: what was not synced is then gone,
// or there in part. For tests of durability.
#pragma once

/// Makes the disk known to SQLite under the name "dropping", if it is not yet, and empties it.
int gk_disk_prepare(void);

/// From now on: after so many writes, truncations and syncs the power is lost, and each further call fails. 0: never.
void gk_disk_lose_power_after(long operations);

/// How many writes, truncations and syncs there were since the last call of `gk_disk_lose_power_after`.
long gk_disk_operations(void);

/// Power is back. Of what was not synced, each write stays or goes as the dice say; with seed 0 all of it is gone, with
/// seed 1 all of it stays.
void gk_disk_restore(unsigned long long seed);
