#if canImport(Glibc)
  import CMalloc

  /// The bytes of the heap that are in use, those that the allocator adds included; nil where the
  /// system does not say.
  func heapBytes() -> Int? {
    let info = mallinfo2()
    return Int(info.uordblks + info.hblkhd)
  }
#else
  /// The bytes of the heap that are in use; nil where the system does not say.
  func heapBytes() -> Int? { nil }
#endif
