public enum FreshetTestingPlaceholder {}
