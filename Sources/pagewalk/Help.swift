/// The text that `--help` prints.
enum Help {
  static let text = usage + "\n" + examples + "\n" + styles

  private static let usage = """
    pagewalk [URL] [options]
    pagewalk browse [URL] [options]

    Walks a paged HTTP API and prints its items, one compact JSON value per line. Without a URL, it
    walks a built-in demo API. If the URL has no scheme, it is https, or http for this machine
    (localhost:8080/items).

    browse shows the list in the terminal, loads more as you scroll, and marks the state of each page;
    press ? for its keys. It accepts all options except those for output: --limit, --refresh, --watch,
    --events, --summary, --quiet.

      --style STYLE          how to find the next page (see below); default auto
      --items PATH           dotted path of the item array, . for the body; default: search for it
      --id PATH              dotted path of an item's identity; later duplicates are dropped
      --limit N              stop after N items
      --max-pages N          stop after N pages, as incomplete; default 10000
      --max-empty-pages N    stop after N empty pages in a row, as incomplete; default 100
      --max-bytes N          maximum size of a response in bytes; default 33554432
      --concurrency N        send up to N requests at once, 1 to 64; default 1
      --header 'Name: value' send a request header (-H); may be repeated
      --header @FILE         read request headers from a file, one per line; - is standard input.
                             Other users of the machine can read what is on the command line
      --method M             method of the first request (-X); default GET, or POST with a body
      --body JSON            JSON body of the first request (-d); @FILE reads it from a file
      --allow-origin ORIGIN  follow next links to another origin, without credentials; may be
                             repeated
      --cacert FILE          trust the certificate authorities in FILE (PEM) instead of the system's;
                             not on macOS
      --cache DIR            store pages in DIR, up to 10 GB; a later run shows them first and
                             requests only changes. Pages and their URLs are not encrypted, but other
                             users cannot read the files
      --refresh N            refresh N times after the walk; print the list after the last refresh
      --watch SECONDS        refresh forever at this interval; print the items, then each change
      --timeout SECONDS      deadline of each attempt, and the longest wait that a server may ask
                             for; default 30
      --retries N            retry a failed GET or HEAD up to N times if it may succeed later; default
                             2. A timeout is not retried
      --events               print every resource and collection event on standard error
      --summary              end standard error with a JSON object: status (complete, limit,
                             incomplete), reason, pages, items, duplicates, requests, notModified,
                             retries, seconds
      --quiet                do not print progress (-s)
      --location             ignored (-L): redirects are always followed
      --help (-h), --version

    """

  private static let examples = """
    Examples:

      pagewalk
          the demo; pagewalk | head -n 3 prints its first items
      pagewalk https://api.github.com/repos/swiftlang/swift/tags --limit 50
          a GitHub list, whose pages are connected by a Link header
      pagewalk api.example.com/items --style page=page --items data.rows --id id
          page numbers, if the response has no link to the next page
      pagewalk https://api.example.com/search -d '{"query":"rain"}' --style cursor=next,after
          a POST that sends the cursor of each page in the body of the next request
      pagewalk https://api.example.com/graphql --items data.items.nodes \\
          --style cursor=data.items.pageInfo.endCursor,variables.after,data.items.pageInfo.hasNextPage \\
          --body @query.json
          a GraphQL connection
      pagewalk https://api.example.com/items --header @token.txt
          a line 'Authorization: Bearer …' from a file that only you can read
      pagewalk https://api.example.com/items --id id --watch 60
          the items, and then the changes every minute

    """

  private static let styles = """
    STYLE                    the next page
      auto                   recognized in the first response; an error if there are more items but
                             no way to request them, a warning if it is not clear whether there are
      single                 none: the first page is the whole list
      link                   the Link header, relation next (RFC 8288), has its URL
      header=NAME            the header NAME has its URL
      url=PATH               the body member at PATH has its URL
      page=PARAM             the query parameter PARAM counts pages 1, 2, 3…; add ,from 0 to count
                             from 0, and ,of PATH if the body has the number of pages at PATH
      offset=PARAM           the query parameter PARAM is the number of items before the page, or
                             the number of its first item if the first response has 1 at PARAM; add
                             ,limit PARAM to read the list backward as well
                             After page and offset, PARAM is a path in the body if that has a number
                             to start from, as in -d '{"offset":0}' --style offset=offset
      token=PATH,PARAM[,MORE] the body member at PATH is sent in the query parameter PARAM; either
                             may be 'header NAME', as in 'token=header X-Next,page'; false at MORE,
                             if PATH is in the body, ends the list
      last=PATH,PARAM[,MORE] PATH in the last item is sent in the query parameter PARAM
      cursor=PATH,KEY[,MORE] the body member at PATH is sent in the JSON request body at KEY; false
                             at MORE ends the list; without --body, the first body is {}
                             After token, last and cursor, add ',until repeated' if a repeated token
                             or identity ends the list

    Exit status: 0 complete or limit reached, 1 incomplete, 2 usage error, 130 interrupted.

    """
}
