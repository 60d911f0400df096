/** A page of the window, with what it is to show. Values are text; the page checks them like anything from outside. */
export interface PageRoute {
  readonly page: string;
  readonly params?: Readonly<Record<string, string>>;
}

/** The fragment of a page's address, as renderer/lib/router.ts reads it: `#/tasks?task=vt_1`. */
export function routeFragment({ page, params = {} }: PageRoute): `#/${string}` {
  const query = new URLSearchParams(params).toString();
  return query === "" ? `#/${page}` : `#/${page}?${query}`;
}
