import { afterAll, beforeAll, expect, it } from "vitest";
import {
  RESOURCE_BYTES,
  listMediaResources,
  readMediaResource,
} from "../../../../gateway/mcp/resources/resources-media.ts";
import { OPENAI_ROUTE, PIXEL, deltaResponse } from "../../../support/image-acts.ts";
import { png } from "../../../support/pictures.ts";
import { reply } from "../../../support/wire-provider.ts";
import { MediaStage, OTHER_KEY } from "../media/media-stage.ts";

let media: MediaStage;
let mine = "";
let theirs = "";
let large = "";
const ASKED = { model: "delta-image-1", prompt: "A red fox" };
beforeAll(async () => {
  media = await MediaStage.open();
  const bytes = png({ padding: RESOURCE_BYTES });
  const heavy = { created: 1, data: [{ b64_json: bytes.toString("base64") }] };
  media.wire.on(OPENAI_ROUTE, reply(200, heavy), reply(200, deltaResponse()));
  const made = async (key?: string): Promise<string> => {
    const { kept } = await media.stage.response(media.generate, ASKED, key === undefined ? {} : { key });
    return kept[0] ?? "";
  };
  large = await made();
  theirs = await made(OTHER_KEY);
  mine = await made();
});
afterAll(() => media.close());

const code = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

it("a key reads what it made", async () => {
  const contents = await readMediaResource(media.stage.deps, media.stage.key(), mine);
  expect(contents).toEqual({
    uri: `postern://media/${mine}`,
    mimeType: "image/png",
    blob: PIXEL.toString("base64"),
  });
});

it("a result of another key is as unknown as one that no one made", async () => {
  const key = media.stage.key();
  const foreign = await code(readMediaResource(media.stage.deps, key, theirs));
  const unknown = await code(readMediaResource(media.stage.deps, key, "media_nobody"));
  expect(foreign).toMatchObject({ code: "not_found", message: `There is no ${theirs} in the media library.` });
  expect(unknown).toMatchObject({ code: "not_found", message: "There is no media_nobody in the media library." });
  const secret = await code(readMediaResource(media.stage.deps, key, OTHER_KEY));
  expect(String(secret)).not.toContain(OTHER_KEY);
});

it("what is too large for a message names its link", async () => {
  const error = await code(readMediaResource(media.stage.deps, media.stage.key(), large));
  expect(error).toMatchObject({ code: "invalid_value", details: { param: "uri" } });
  expect(String(error)).toMatch(/http:\/\/127\.0\.0\.1:6174\/media\/media_\w+\?expires=\d+&signature=\w+$/);
});

it("a key lists what it made, the newest first", async () => {
  const own = await listMediaResources(media.stage.deps, media.stage.key());
  expect(own.map(({ uri }) => uri)).toEqual([`postern://media/${mine}`, `postern://media/${large}`]);
  expect(own[0]).toEqual({
    uri: `postern://media/${mine}`,
    name: `postern-image-${mine.slice(-8)}.png`,
    mimeType: "image/png",
    size: PIXEL.length,
    description: '1x1 image/png by delta-image-1: "A red fox"',
  });
  const others = await listMediaResources(media.stage.deps, media.stage.key(OTHER_KEY));
  expect(others.map(({ uri }) => uri)).toEqual([`postern://media/${theirs}`]);
});
