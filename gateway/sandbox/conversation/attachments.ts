/** What attachments add to a prompt. */
export const ATTACHMENT_TOKENS = { smallImage: 85, image: 765, audio: 100, video: 1_000, file: 250, unknown: 10 };

/** Where something attached lies: a URL, or what a data URL says of itself. */
export function placeOfUrl(url: string): string {
  if (!url.startsWith("data:")) return url.length > 120 ? `${url.slice(0, 120)}…` : url;
  const comma = url.indexOf(",");
  const mediaType = url.slice("data:".length, comma).split(";")[0] ?? "";
  return `${mediaType || "no media type"}, ${bytesOfBase64(url.slice(comma + 1))} bytes`;
}

/** How many bytes a base64 text stands for, without decoding it. */
export function bytesOfBase64(text: string): number {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  return Math.max(0, Math.floor((text.length * 3) / 4) - padding);
}
