/** Storage of a tab's bearer, which survives a reload. */
export interface TabBearer {
  read(): string | null;
  write(bearer: string | null): void;
}

const NAME = "postern.bearer";

/**
 * The bearer in the tab's own sessionStorage: no other tab and no other origin reads it, it is sent nowhere by itself,
 * and it goes with the tab. A storage that refuses means that a reload ends the session.
 */
export const tabBearer: TabBearer = {
  read() {
    try {
      return sessionStorage.getItem(NAME);
    } catch {
      return null;
    }
  },
  write(bearer) {
    try {
      if (bearer === null) sessionStorage.removeItem(NAME);
      else sessionStorage.setItem(NAME, bearer);
    } catch {
      // The session then lasts as long as the page.
    }
  },
};
