import Testing

@testable import pagewalk
