#if canImport(SwiftUI)
  import Freshet
  import SwiftUI

  extension SignIn {
    struct AppView: View {
      let session: Session
      var body: some View { Text("") }
    }

    struct LogInView: View {
      let session: Session
      var body: some View { Text("") }
    }

    // snippet
    struct RootView: View {
      let session: Session

      var body: some View {
        if session.isSignedIn {
          AppView(session: session)
        } else {
          LogInView(session: session)
        }
      }
    }
    // end
  }
#endif
