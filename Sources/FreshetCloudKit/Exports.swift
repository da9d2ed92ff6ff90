// Services, lists and errors of CloudKit are Freshet's: whoever imports this module means both.
@_exported import Freshet
