/** Files that are dragged at once; more are exported as a ZIP. The page has the same bound. */
export const MOST_DRAGGED = 50;

/** Ids of results, as the library makes them. */
const ID = /^[\w-]{1,100}$/;

/** Tells whether a message is a valid list of results to drag: unique ids and nothing else. */
export function areDragIds(given: unknown): given is readonly string[] {
  return (
    Array.isArray(given) &&
    given.length > 0 &&
    given.length <= MOST_DRAGGED &&
    given.every((id) => typeof id === "string" && ID.test(id)) &&
    new Set(given).size === given.length
  );
}
