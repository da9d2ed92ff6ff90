/// A step in the work with files, by which a test makes it fail.
enum DiskStep: String, Sendable, CaseIterable {
  case makeDirectory = "making the directory"
  case list = "listing the directory"
  case open = "opening"
  case read = "reading"
  case create = "creating a temporary file"
  case write = "writing"
  case synchronize = "flushing to the disk"
  case rename = "renaming the temporary file"
  case synchronizeDirectory = "flushing the directory to the disk"
  case remove = "removing"
}
