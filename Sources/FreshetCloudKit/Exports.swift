// Services, lists and errors of CloudKit are Freshet's: a client of this module needs both.
@_exported import Freshet
