/** The library's names of files: `ab/<id>.<extension>`. */
const RESULT = /^[0-9a-f]{2}([/\\])media_\w{1,94}\.[a-z0-9]{1,8}$/;

/**
 * Whether the folder of a file may be opened for a page: only for files of the media library, by the name that the
 * library itself gives them. Nothing is resolved: a path with a step upwards, or with another separator, is not one.
 * @param path what the page sent.
 * @param folder the library's folder, absolute, with the separator at its end.
 */
export function mayShowFile(path: unknown, folder: string): path is string {
  if (typeof path !== "string" || folder.length < 2 || !path.startsWith(folder)) return false;
  return RESULT.exec(path.slice(folder.length))?.[1] === folder.at(-1);
}
