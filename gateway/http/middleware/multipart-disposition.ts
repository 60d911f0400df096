/** What a `Content-Disposition` says of its part. */
export interface Disposition {
  readonly name: string | null;
  /** Null for parts that are no files. */
  readonly fileName: string | null;
}

/** A quote that never closes is taken to the end: so every byte is looked at once, whatever it is. */
const PARAMETER = /;\s*(name|filename)(\*?)\s*=\s*(?:"((?:[^"\\]|\\.)*)(?:"|$)|([^;"\s]+))/gi;

/**
 * Reads `form-data; name="image[]"; filename="a \"b\".png"` as clients write it: quoted with backslashes (curl) or with
 * `%22` (browsers), not quoted at all, or `filename*=UTF-8''…` (RFC 5987), which wins over its plain twin.
 */
export function readDisposition(header: string): Disposition {
  const found = new Map<string, string>();
  for (const [, parameter = "", star, quoted, plain = ""] of header.matchAll(PARAMETER)) {
    const key = parameter.toLowerCase();
    if (star === "*") found.set(`${key}*`, extended(quoted ?? plain));
    else if (!found.has(key)) found.set(key, quoted === undefined ? plain : unquoted(quoted));
  }
  return {
    name: found.get("name*") ?? found.get("name") ?? null,
    fileName: found.get("filename*") ?? found.get("filename") ?? null,
  };
}

function unquoted(text: string): string {
  return text.replaceAll(/\\(["\\])/g, "$1").replaceAll(/%22/g, '"');
}

/** `UTF-8''na%C3%AFve.png`; as it stands where it is no valid percent-encoding. */
function extended(text: string): string {
  const value = text.slice(text.lastIndexOf("'") + 1);
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
