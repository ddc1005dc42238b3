import Foundation

/// The files of this checkout, as a clone has them.
enum Checkout {
    /// The checkout's top folder.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static let skipped: Set<String> = [".git", ".swiftpm", "DerivedData", "fuzz-work"]

    /// Paths, relative to ``root``, of all files but build products.
    static let paths: [String] = {
        var found: [String] = []
        var open = [""]
        while let folder = open.popLast() {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path + "/" + folder)) ?? []
            for name in names.sorted() where !skipped.contains(name) && !name.hasPrefix(".build") {
                let path = folder.isEmpty ? name : folder + "/" + name
                var isFolder: ObjCBool = false
                guard FileManager.default.fileExists(atPath: root.path + "/" + path, isDirectory: &isFolder) else {
                    continue
                }
                if isFolder.boolValue { open.append(path) } else { found.append(path) }
            }
        }
        return found
    }()

    /// The text of a file.
    static func text(_ path: String) -> String {
        String(decoding: (try? Data(contentsOf: root.appending(path: path))) ?? Data(), as: UTF8.self)
    }
}
