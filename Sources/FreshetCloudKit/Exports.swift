// A client of this module needs the services, lists and errors of Freshet too.
@_exported import Freshet
