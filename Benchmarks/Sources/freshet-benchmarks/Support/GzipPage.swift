import Foundation

/// A page of 50 items as JSON, compressed by gzip: 883 bytes for 5,226.
enum GzipPage {
  /// The size of the page when decoded.
  static let size = 5_226

  /// The compressed page.
  static let data = Data(base64Encoded: text) ?? Data()

  private static let text =
    "H4sIAAAAAAACA42YzWokRxCEX8X0WZuu/KnKSl29i++mwGDjg8wOtkASZne1F+N3d8s+aDazUiQIRswIBRPR"
    + "/VVE//r3cf/xuG03x9Pd4+W4PX68e/7j8l07bo7np/sv5xuPj+fvD5evl4fjFgeC0c3x6f7r5dP52U9/3j9d"
    + "Xv70r493Xy7n/zmo0XiH+K7hau32v59fjn9u/ldBp2JoVzr8/edXJe0gV0IfHn5PdGg19DrkdCbPV50fXkWY"
    + "ThV9VXl/9/Sc6fBq5HXY6WjXvW88gK6+zc+Xz+frVkZWYy8jTmboyGyjoWBSCqivJl6pO6VufWscToIplXjG"
    + "at2rDK+CsreNDFotHV1teBl1MsKc2tYZtBbQXE290nRK3CmxDbSXwrHVplcxp0KKiW04YFZuHmyrWbhJPQvQ"
    + "WuYbCxiXEkJcGHnggYDNtsZJBx6VeJAWBhyg5wHNzDgCGpWAkBcGHKDngYlmzgkyCFcykoWBCOiRMMfYGvfC"
    + "61o+fWHAAXoe6OzJwYAIo3QD4VgYiIAeCdokvebw23v1jZB0YaACeiwM4v01pwyzVxKaCwMS0DOhCyUX3ZzQ"
    + "ey0kWxiwgJ4LMjDzDm0CSyUmagsDGsijgWfbe3d+J+RKRoSLAhfIc4HMEvMYyAoZES2KNSFwAWd6v55nEdVQ"
    + "R7wosIE8G5B1f0aIwCwlJIsCGMiDoY+9cUrVgPqmyJEHg2nPnOsTSgmNXZHzXJgme9e6AEktHt00OfJUmMh7"
    + "46RNaKWziOamy5HngjJlzln75tR7u2wHeJPnwui49Y5OnVms2oHc7JHQNdkOjAYyymU7gJs9FGSm6wHnWbir"
    + "fTuwmz0Xzsz3zr0cEVpt24Hc7JnAlO0HBLZi3Q7UZs8Eknw/2PWl8Hbjjn2OPRZwJPuhEdgs9u1Y6DhgIRkQ"
    + "LA2oWLhjn2MPhXw/nJ1k1gp3LHPskWCUzIeu0LRctwMR2IJt2YIwAp3Vwh2gIB4KOtIJQTSgW7VzByoIhnFs"
    + "ybl6XtqzWLgDEoTCMk42BJsC1jt3gIJwWMeazy+DXi3dgQsiYSDvRwQSQevFxh3bnPQwj3tWhRVeul+lcsc6"
    + "JyMMZMmfkxCMaueObU40bORkRLBC12LhjnVOPBoQKXvCJMVVRLsnc+LRwPmGEAbTWue+anS//QsJoubhahQA"
    + "AA=="
}
