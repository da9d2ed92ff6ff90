#if canImport(Glibc)
  import CMalloc

  /// The bytes of the heap in use, including the overhead of the allocator; nil if the system does
  /// not report them.
  func heapBytes() -> Int? {
    let info = mallinfo2()
    return Int(info.uordblks + info.hblkhd)
  }
#else
  /// The bytes of the heap in use; nil if the system does not report them.
  func heapBytes() -> Int? { nil }
#endif
