/// Placeholder.
public enum Placeholder {}
