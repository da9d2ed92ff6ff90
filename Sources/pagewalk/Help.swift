/// The text that `--help` prints.
enum Help {
  static let text = usage + "\n" + examples + "\n" + styles

  private static let usage = """
    pagewalk [URL] [options]
    pagewalk browse [URL] [options]

    Walks a paged HTTP API and prints its items, one compact JSON value a line. Without a URL it
    walks an embedded demo API and shows the store at work. Without a scheme the URL is https, or
    http for this machine (localhost:8080/items).

    browse shows the list in the terminal, loads more as you scroll, and marks the state of each page;
    ? lists its keys. It has all options but those about output: --limit, --refresh, --watch, --events,
    --summary, --quiet.

      --style STYLE          how the next page is found (below); default auto
      --items PATH           dotted path of the item array, . for the body; default: looked for
      --id PATH              dotted path of an item's identity; later duplicates are dropped
      --limit N              stop after N items
      --max-pages N          stop after N pages, incomplete; default 10000
      --max-empty-pages N    stop after N pages without items in a row, incomplete; default 100
      --max-bytes N          bytes of one response; default 33554432
      --concurrency N        up to N requests at once, 1 to 64; default 1
      --header 'Name: value' a request header (also -H); may repeat
      --header @FILE         request headers from a file, one a line; - is standard input. What is
                             on the command line can be read by other users of the machine
      --method M             the first request's method (-X); default GET, or POST with a body
      --body JSON            the first request's JSON body (-d); @FILE reads it from a file
      --allow-origin ORIGIN  a further origin that next links may lead to, without credentials;
                             may repeat
      --cacert FILE          trust the certificate authorities in FILE (PEM), not the system's; not
                             on macOS
      --cache DIR            keep pages in DIR, up to 10 GB; a later run shows them first and asks
                             the server for changes only. Pages and their URLs are not encrypted;
                             the files are closed to other users
      --refresh N            refresh N times after the walk; prints the list after the last one
      --watch SECONDS        refresh for ever at this interval; prints the items, then what changes
      --timeout SECONDS      deadline of one attempt, and the longest wait that a server may ask
                             for; default 30
      --retries N            retries of a failed GET or HEAD that may succeed later; default 2.
                             A timeout is not retried
      --events               print every resource and collection event on standard error
      --summary              end standard error with one JSON object: status (complete, limit,
                             incomplete), reason, pages, items, duplicates, requests, notModified,
                             retries, seconds
      --quiet                no progress (-s)
      --location             accepted (-L): redirects are followed anyway
      --help (-h), --version

    """

  private static let examples = """
    Examples:

      pagewalk
          the demo; pagewalk | head -n 3 prints its first items
      pagewalk https://api.github.com/repos/swiftlang/swift/tags --limit 50
          a GitHub list: the Link header leads from page to page
      pagewalk api.example.com/items --style page=page --items data.rows --id id
          page numbers, where nothing in the response leads on
      pagewalk https://api.example.com/search -d '{"query":"rain"}' --style cursor=next,after
          a POST, with the cursor of each page put into the body of the next request
      pagewalk https://api.example.com/graphql --items data.items.nodes \\
          --style cursor=data.items.pageInfo.endCursor,variables.after,data.items.pageInfo.hasNextPage \\
          --body @query.json
          a GraphQL connection
      pagewalk https://api.example.com/items --header @token.txt
          the line 'Authorization: Bearer …' comes from a file that only you can read
      pagewalk https://api.example.com/items --id id --watch 60
          the items, and every minute what changed

    """

  private static let styles = """
    STYLE                    the next page
      auto                   whatever the first response shows; an error if it shows that there is
                             more and not how to ask, a warning if it shows neither that nor the end
      single                 none: the first page is the whole list
      link                   Link header, relation next (RFC 8288)
      header=NAME            the header NAME holds its URL
      url=PATH               the body member at PATH holds its URL
      page=PARAM             the query parameter PARAM counts 1, 2, 3…; with ,from 0 it counts
                             from 0, with ,of PATH the body has the number of pages at PATH
      offset=PARAM           the query parameter PARAM counts the items before it, or numbers them
                             from 1 where the first response has the number 1 at PARAM; with
                             ,limit PARAM the list can be read backward as well
      token=PATH,PARAM[,MORE] the body member at PATH goes into the query parameter PARAM; each of
                             the two may be 'header NAME': 'token=header X-Next,page'; false at
                             MORE, with a PATH in the body, ends the list
      last=PATH,PARAM[,MORE] PATH in the last item goes into the query parameter PARAM
      cursor=PATH,KEY[,MORE] the body member at PATH goes into the JSON request body at KEY;
                             false at MORE ends the list; without --body the first body is {}
                             After token, last and cursor, ',until repeated' lets a token or an
                             identity that comes again end the list

    Exit status: 0 walked to the end or to the limit, 1 incomplete, 2 usage error, 130 interrupted.

    """
}
