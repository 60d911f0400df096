/** The library's names of files: `ab/<id>.<extension>`. */
const RESULT = /^[0-9a-f]{2}([/\\])media_\w{1,94}\.[a-z0-9]{1,8}$/;

/**
 * Tells whether a page may show a file in its folder: only files of the media library, under the library's own names.
 * Nothing is resolved: a path with `..` or another separator is refused.
 * @param path path from the page.
 * @param folder the library's folder, absolute, with a trailing separator.
 */
export function mayShowFile(path: unknown, folder: string): path is string {
  if (typeof path !== "string" || folder.length < 2 || !path.startsWith(folder)) return false;
  return RESULT.exec(path.slice(folder.length))?.[1] === folder.at(-1);
}
