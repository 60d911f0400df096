import type { ContentBlock } from "@modelcontextprotocol/server";
import type { ToolDeps } from "../tool/tool-deps.ts";
import type { ToolCall } from "../tool/tool.ts";
import type { Delivery, MediaFacts } from "./media-facts.ts";
import { getMediaBytes, getMediaDescription, formatMediaName, getMediaUri } from "./own-media.ts";
import { getBlock, unsavedMedia } from "./unsaved-media.ts";
import type { ShownMedia, UnsavedMedia } from "./unsaved-media.ts";
import type { Later } from "../../lib/later.ts";

/**
 * Max milliseconds to wait for saving; downloads from a provider continue in the background. MCP clients abort calls
 * after 60 s, part of which the provider has used.
 */
const TIMEOUT_MS = 30_000;

/**
 * Returns the ids of a call's results, once all are saved.
 * @returns null on timeout, or if the client has disconnected; the library continues in the background
 */
function waitForSaved(
  { later }: { readonly later: Later },
  { savedIds, client }: Pick<ToolCall, "savedIds" | "client">,
): Promise<readonly (string | null)[] | null> {
  return new Promise((resolve, reject) => {
    const cancel = later(TIMEOUT_MS, () => end(null));
    const end = (ids: readonly (string | null)[] | null): void => {
      cancel();
      client.onCancelled(null);
      resolve(ids);
    };
    client.onCancelled(() => end(null));
    savedIds().then(end, reject);
  });
}

/**
 * Max raw bytes of media in one result. Base64 adds a third, clients hold the whole message in memory, and hosts
 * truncate or refuse results of several megabytes; a typical image fits.
 */
export const INLINE_BYTES = 2 * 1024 * 1024;

export type MediaContentDeps = Pick<ToolDeps, "media" | "later" | "origin">;

export interface MediaContent {
  /** Media, then links. */
  readonly content: readonly ContentBlock[];
  readonly results: readonly MediaFacts[];
  /** Text for users and models with the place of each result. */
  readonly text: string;
}

/**
 * Builds the content of a call's results, once the library has them: inline media up to the limit, and a link to each.
 * Results that are not saved in time are paid for, so the provider's response is used instead.
 * @param findUnsaved returns the results of the provider's response, in the library's order. Called only if the library
 * lacks some.
 */
export async function getMediaContent(
  deps: MediaContentDeps,
  call: ToolCall,
  delivery: Delivery,
  findUnsaved: () => readonly UnsavedMedia[],
): Promise<MediaContent> {
  const ids = (await waitForSaved(deps, call)) ?? [];
  let spare: readonly UnsavedMedia[] | null = ids.length === 0 || ids.includes(null) ? findUnsaved() : null;
  const shown: ShownMedia[] = [];
  let room = delivery === "link" ? 0 : INLINE_BYTES;
  for (let index = 0; index < Math.max(ids.length, spare?.length ?? 0); index += 1) {
    const id = ids[index] ?? null;
    // If the library cannot show it, the response is used, because it is paid for.
    const saved = id === null ? null : await savedMedia(deps, id, room).catch(() => null);
    if (saved !== null) {
      shown.push(saved);
      if (saved.block !== null) room -= saved.facts.bytes ?? 0;
      continue;
    }
    spare ??= findUnsaved();
    shown.push(unsavedMedia(spare[index] ?? null, `${call.input.requestId}/${index + 1}`));
  }
  return {
    content: [...shown.flatMap(({ block }) => block ?? []), ...shown.flatMap(({ link }) => link ?? [])],
    results: shown.map(({ facts }) => facts),
    text: shown.map(({ text }) => text).join("\n"),
  };
}

/** @returns null if it was deleted meanwhile */
async function savedMedia(deps: MediaContentDeps, id: string, room: number): Promise<ShownMedia | null> {
  const view = await deps.media.view(id);
  if (view === null) return null;
  const block = view.bytes <= room ? getBlock(view.type, await getMediaBytes(deps.media, id)) : null;
  const uri = getMediaUri(id);
  const url = `${deps.origin()}${view.link}`;
  const expires = new Date(view.link_expires_at).toISOString();
  const description = getMediaDescription(view);
  return {
    block,
    link: {
      type: "resource_link",
      uri,
      name: formatMediaName(view),
      mimeType: view.type,
      size: view.bytes,
      description,
    },
    facts: {
      media_id: id,
      uri,
      url,
      url_expires_at: expires,
      mime_type: view.type,
      bytes: view.bytes,
      width: view.width,
      height: view.height,
      duration_seconds: view.duration_ms === null ? null : view.duration_ms / 1_000,
      inline: block !== null,
    },
    text: `${description}\n${view.bytes} bytes, saved as ${uri}, to open until ${expires}: ${url}`,
  };
}
