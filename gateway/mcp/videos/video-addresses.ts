import { GatewayError } from "../../core/errors.ts";
import type { RingKey } from "../../services/keys/key-ring.ts";
import { getMediaBytes, getMediaId, getMediaUri, getOwnMedia } from "../media/own-media.ts";
import type { ToolDeps } from "../tool/tool-deps.ts";
import type { VideoArguments } from "./video-arguments.ts";
import type { VideoAddresses } from "./video-body.ts";

type Library = Pick<ToolDeps["media"], "view" | "open">;

/** Max bytes: as base64 this is the largest body that the endpoint takes. */
const MOST_BYTES = 24 * 1024 * 1024;

/**
 * Converts library URLs in a call's arguments to `data:` URLs, because providers cannot reach this machine. The
 * conversion is deterministic, so that an order can be repeated.
 * @throws GatewayError not_found for results of other keys, request_too_large
 */
export async function getAddresses(media: Library, key: RingKey, args: VideoArguments): Promise<VideoAddresses> {
  let room = MOST_BYTES;
  const read = async (param: string, url: string): Promise<string> => {
    const id = getMediaId(url);
    if (id === null) return url;
    const { type, bytes } = await getOwnMedia(media, key, id);
    if (bytes > room) {
      throw new GatewayError(
        "request_too_large",
        `'${param}': ${getMediaUri(id)} has ${bytes} bytes, and only ${room} more fit into this call. Give an https URL instead, which the provider fetches itself.`,
        { param },
      );
    }
    room -= bytes;
    return `data:${type};base64,${(await getMediaBytes(media, id)).toString("base64")}`;
  };
  const readAll = async (name: string, urls: readonly string[]): Promise<string[]> => {
    const all: string[] = [];
    for (const [index, url] of urls.entries()) all.push(await read(`${name}[${index}]`, url));
    return all;
  };
  const { first_frame_image, last_frame_image, reference_images, reference_videos, source_video, audio_url } = args;
  return {
    ...(first_frame_image && { first_frame_image: await read("first_frame_image", first_frame_image) }),
    ...(last_frame_image && { last_frame_image: await read("last_frame_image", last_frame_image) }),
    ...(reference_images && { reference_images: await readAll("reference_images", reference_images) }),
    ...(reference_videos && { reference_videos: await readAll("reference_videos", reference_videos) }),
    ...(source_video && { source_video: await read("source_video", source_video) }),
    ...(audio_url && { audio_url: await read("audio_url", audio_url) }),
  };
}
