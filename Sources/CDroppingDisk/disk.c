#include "CDroppingDisk.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

// A change that has not been synced: bytes at an offset, or a new size.
typedef struct Change {
    struct Change *next;
    sqlite3_int64 offset;
    int count;  // -1: a truncation to `offset`
    unsigned char bytes[];
} Change;

typedef struct {
    unsigned char *bytes;
    sqlite3_int64 size;
} Content;

typedef struct {
    char name[256];
    int exists;
    int is_durable;  // whether its name survives
    Content live, synced;
    Change *first, *last;
} Entry;

typedef struct {
    sqlite3_file base;
    Entry *entry;
} Open;

enum { entry_count = 8 };
static Entry entries[entry_count];
static long operations, limit;
static unsigned long long dice;

static int is_dead(void) { return limit > 0 && operations >= limit; }

// Counts an operation; the one that reaches the limit is still done, but not acknowledged.
static int count_operation(void) {
    if (is_dead()) return SQLITE_IOERR;
    operations++;
    return SQLITE_OK;
}

static int resize(Content *content, sqlite3_int64 size) {
    if (size > content->size) {
        unsigned char *bytes = realloc(content->bytes, (size_t)size);
        if (!bytes) return SQLITE_NOMEM;
        memset(bytes + content->size, 0, (size_t)(size - content->size));
        content->bytes = bytes;
    }
    content->size = size;
    return SQLITE_OK;
}

static int put(Content *content, const Change *change) {
    if (change->count < 0) return resize(content, change->offset);
    const sqlite3_int64 end = change->offset + change->count;
    if (end > content->size && resize(content, end) != SQLITE_OK) return SQLITE_NOMEM;
    memcpy(content->bytes + change->offset, change->bytes, (size_t)change->count);
    return SQLITE_OK;
}

static int copy(Content *to, const Content *from) {
    if (resize(to, from->size) != SQLITE_OK) return SQLITE_NOMEM;
    if (from->size) memcpy(to->bytes, from->bytes, (size_t)from->size);
    return SQLITE_OK;
}

static void forget(Entry *entry) {
    while (entry->first) {
        Change *next = entry->first->next;
        free(entry->first);
        entry->first = next;
    }
    entry->last = NULL;
}

static void clear(Entry *entry) {
    forget(entry);
    free(entry->live.bytes);
    free(entry->synced.bytes);
    memset(entry, 0, sizeof *entry);
}

static int change(Entry *entry, sqlite3_int64 offset, int count, const void *bytes) {
    if (count_operation() != SQLITE_OK) return SQLITE_IOERR;
    Change *new = malloc(sizeof(Change) + (size_t)(count > 0 ? count : 0));
    if (!new) return SQLITE_NOMEM;
    new->next = NULL;
    new->offset = offset;
    new->count = count;
    if (count > 0) memcpy(new->bytes, bytes, (size_t)count);
    if (entry->last) entry->last->next = new; else entry->first = new;
    entry->last = new;
    int code = put(&entry->live, new);
    return is_dead() ? SQLITE_IOERR : code;
}

// MARK: files

static Entry *of(sqlite3_file *file) { return ((Open *)file)->entry; }

static int x_close(sqlite3_file *file) { (void)file; return SQLITE_OK; }

static int x_read(sqlite3_file *file, void *buffer, int count, sqlite3_int64 offset) {
    Content *content = &of(file)->live;
    if (is_dead()) return SQLITE_IOERR_READ;
    memset(buffer, 0, (size_t)count);
    if (offset >= content->size) return SQLITE_IOERR_SHORT_READ;
    sqlite3_int64 there = content->size - offset;
    memcpy(buffer, content->bytes + offset, (size_t)(there < count ? there : count));
    return there < count ? SQLITE_IOERR_SHORT_READ : SQLITE_OK;
}

static int x_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    return change(of(file), offset, count, bytes);
}

static int x_truncate(sqlite3_file *file, sqlite3_int64 size) { return change(of(file), size, -1, NULL); }

static int x_sync(sqlite3_file *file, int flags) {
    (void)flags;
    if (count_operation() != SQLITE_OK || is_dead()) return SQLITE_IOERR_FSYNC;
    Entry *entry = of(file);
    entry->is_durable = 1;
    forget(entry);
    return copy(&entry->synced, &entry->live);
}

static int x_size(sqlite3_file *file, sqlite3_int64 *size) { *size = of(file)->live.size; return SQLITE_OK; }
static int x_lock(sqlite3_file *file, int level) { (void)file; (void)level; return SQLITE_OK; }
static int x_reserved(sqlite3_file *file, int *result) { (void)file; *result = 0; return SQLITE_OK; }
static int x_control(sqlite3_file *file, int operation, void *argument) {
    (void)file; (void)operation; (void)argument;
    return SQLITE_NOTFOUND;
}
static int x_sector(sqlite3_file *file) { (void)file; return 512; }
static int x_device(sqlite3_file *file) { (void)file; return 0; }

static const sqlite3_io_methods methods = {
    1, x_close, x_read, x_write, x_truncate, x_sync, x_size, x_lock, x_lock, x_reserved, x_control, x_sector, x_device,
    0, 0, 0, 0, 0, 0,
};

// MARK: the disk

static Entry *find(const char *name) {
    for (int i = 0; i < entry_count; i++) {
        if (entries[i].exists && strcmp(entries[i].name, name) == 0) return &entries[i];
    }
    return NULL;
}

static int v_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out) {
    (void)vfs;
    file->pMethods = NULL;
    if (is_dead() || !name || strlen(name) >= sizeof entries[0].name) return SQLITE_CANTOPEN;
    Entry *entry = find(name);
    for (int i = 0; !entry && i < entry_count; i++) {
        if (entries[i].exists) continue;
        entry = &entries[i];
        clear(entry);  // a deleted file may have left its bytes
        strcpy(entry->name, name);
        entry->exists = 1;
    }
    if (!entry) return SQLITE_CANTOPEN;
    ((Open *)file)->entry = entry;
    file->pMethods = &methods;
    if (out) *out = flags;
    return SQLITE_OK;
}

static int v_delete(sqlite3_vfs *vfs, const char *name, int sync) {
    (void)vfs; (void)sync;
    Entry *entry = find(name);
    if (is_dead()) return SQLITE_IOERR_DELETE;
    if (entry) entry->exists = 0;
    return SQLITE_OK;
}

static int v_access(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
    (void)vfs; (void)flags;
    Entry *entry = find(name);
    *result = entry != NULL && (flags != SQLITE_ACCESS_EXISTS || entry->live.size > 0);
    return SQLITE_OK;
}

static int v_full(sqlite3_vfs *vfs, const char *name, int count, char *out) {
    (void)vfs;
    sqlite3_snprintf(count, out, "%s", name);
    return SQLITE_OK;
}

static int v_random(sqlite3_vfs *vfs, int count, char *out) {
    (void)vfs;
    for (int i = 0; i < count; i++) out[i] = (char)(i * 37 + 11);
    return count;
}

static int v_sleep(sqlite3_vfs *vfs, int microseconds) { (void)vfs; return microseconds; }
static int v_time(sqlite3_vfs *vfs, double *time) { (void)vfs; *time = 2461000.5; return SQLITE_OK; }

static sqlite3_vfs disk = {
    1, sizeof(Open), 255, 0, "dropping", 0, v_open, v_delete, v_access, v_full, 0, 0, 0, 0, v_random, v_sleep, v_time, 0,
    0, 0, 0, 0,
};

int gk_disk_prepare(void) {
    for (int i = 0; i < entry_count; i++) clear(&entries[i]);
    operations = limit = 0;
    return sqlite3_vfs_find("dropping") ? SQLITE_OK : sqlite3_vfs_register(&disk, 0);
}

void gk_disk_lose_power_after(long count) {
    operations = 0;
    limit = count;
}

long gk_disk_operations(void) { return operations; }

static int throw_dice(unsigned long long seed) {
    if (seed < 2) return (int)seed;
    dice = dice * 6364136223846793005ULL + 1442695040888963407ULL;
    return (int)(dice >> 63);
}

void gk_disk_restore(unsigned long long seed) {
    dice = seed;
    operations = limit = 0;
    for (int i = 0; i < entry_count; i++) {
        Entry *entry = &entries[i];
        if (!entry->exists) continue;
        if (!entry->is_durable && !throw_dice(seed)) {
            entry->exists = 0;
            forget(entry);
            continue;
        }
        for (Change *change = entry->first; change; change = change->next) {
            if (throw_dice(seed)) put(&entry->synced, change);
        }
        forget(entry);
        copy(&entry->live, &entry->synced);
    }
}
