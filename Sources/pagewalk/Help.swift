/// What `--help` prints.
enum Help {
  static let text = """
    pagewalk [URL] [options]

    Walks a paged HTTP API and prints its items, one compact JSON value a line. Without a URL it
    walks an embedded demo API and shows the store at work.

      --style STYLE          how the next page is found (below); default auto
      --items PATH           dotted path of the item array, . for the body; default: looked for
      --id PATH              dotted path of an item's identity; later duplicates are dropped
      --limit N              stop after N items
      --max-pages N          stop after N pages, incomplete; default 10000
      --header 'Name: value' a request header; may repeat
      --method M             the first request's method; default GET, or POST with a body
      --body JSON            the first request's JSON body
      --allow-origin ORIGIN  a further origin that next links may lead to, without credentials;
                             may repeat
      --refresh N            refresh N times after the walk; prints the list after the last one
      --watch SECONDS        refresh for ever at this interval; prints the items, then what changes
      --timeout SECONDS      deadline of one request; default 30
      --retries N            tries after the first for what may pass; default 2
      --events               print every resource and collection event on standard error
      --summary              end standard error with one JSON object
      --quiet                no progress
      --help, --version

    STYLE                    the next page
      auto                   whatever the first answer shows
      link                   Link header, relation next (RFC 8288)
      header=NAME            the header NAME holds its URL
      url=PATH               the body member at PATH holds its URL
      page=PARAM             the query parameter PARAM counts 1, 2, 3…
      offset=PARAM           the query parameter PARAM counts the items before it
      token=PATH,PARAM       the body member at PATH goes into the query parameter PARAM
      last=PATH,PARAM[,MORE] PATH in the last item goes into the query parameter PARAM
      cursor=PATH,KEY[,MORE] the body member at PATH goes into the JSON request body at KEY;
                             false at MORE ends the list

    Exit status: 0 walked to the end or to the limit, 1 incomplete, 2 usage error, 130 interrupted.

    """
}
