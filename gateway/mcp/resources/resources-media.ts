import type { ReadResourceResult, Resource } from "@modelcontextprotocol/server";
import { GatewayError } from "../../core/errors.ts";
import type { RingKey } from "../../services/keys/key-ring.ts";
import { getMediaBytes, getMediaDescription, formatMediaName, getMediaUri, getOwnMedia } from "../media/own-media.ts";
import type { ToolDeps } from "../tool/tool-deps.ts";

type Deps = Pick<ToolDeps, "media" | "origin">;

/**
 * Max raw bytes of one resource: base64 adds a third, and both sides hold the whole message in memory. Images and
 * speech fit; videos are linked.
 */
export const RESOURCE_BYTES = 8 * 1024 * 1024;
const NEWEST = 50;

/**
 * `postern://media/{id}`: results of this key.
 * @throws GatewayError not_found; invalid_value for a too large result: the request itself is valid, but this resource
 * cannot be read as a message
 */
export async function readMediaResource(
  { media, origin }: Deps,
  key: RingKey,
  id: string,
): Promise<ReadResourceResult["contents"][number]> {
  const view = await getOwnMedia(media, key, id);
  if (view.bytes > RESOURCE_BYTES) {
    const until = new Date(view.link_expires_at).toISOString();
    throw new GatewayError(
      "invalid_value",
      `${getMediaUri(id)} has ${view.bytes} bytes, and a resource is read up to ${RESOURCE_BYTES}. Download it until ${until} without a key from ${origin()}${view.link}`,
      { param: "uri" },
    );
  }
  const bytes = await getMediaBytes(media, id);
  return { uri: getMediaUri(id), mimeType: view.type, blob: bytes.toString("base64") };
}

/** The newest results of this key, the newest first. Every other one can be read by its id. */
export async function listMediaResources({ media }: Pick<Deps, "media">, key: RingKey): Promise<readonly Resource[]> {
  const { data } = await media.list({ key: key.record.id, limit: NEWEST });
  return data.map((view) => ({
    uri: getMediaUri(view.id),
    name: formatMediaName(view),
    mimeType: view.type,
    size: view.bytes,
    description: getMediaDescription(view),
  }));
}
