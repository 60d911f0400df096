import { rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { listMediaResources, readMediaResource } from "../../../../gateway/mcp/resources/resources-media.ts";
import { EDIT_ROUTE, MediaStage, POOR_KEY, SPEECH_ROUTE } from "./media-stage.ts";
import { deltaEdit } from "../../../support/edit-acts.ts";
import {
  GAMMA_ROUTE,
  OPENAI_ROUTE,
  PIXEL_BASE64,
  deltaResponse,
  gammaResponse,
  pixelFile,
} from "../../../support/image-acts.ts";
import { mp3 } from "../../../support/media-samples.ts";
import { KEY, temporaryFolder } from "../../../support/running-gateway.ts";
import { reply, replyBytes, type WireAct } from "../../../support/wire-provider.ts";

/** Nothing that tools say has a secret or a path of this machine in it. */

const SECRETS = [KEY, POOR_KEY, "sk-provider-openai-0001", "sk-provider-dashscope-0001"];
/** A key that a person pasted into a prompt. */
const PASTED = "sk-pasted-by-a-person-0001";

let media: MediaStage;
let dataDir: string;
beforeAll(async () => {
  dataDir = await temporaryFolder();
  media = await MediaStage.open({ dataDir });
});
afterAll(async () => {
  await media.close();
  await rm(dataDir, { recursive: true, force: true });
});

const leaky: WireAct = (seen, outgoing) =>
  reply(401, { error: { message: `Incorrect API key provided: ${seen.headers.authorization}` } })(seen, outgoing);
const IMAGE = { model: "delta-image-1", prompt: `A fox with ${PASTED}` };
const EDIT = { ...IMAGE, images: [`data:image/png;base64,${PIXEL_BASE64}`] };
const SPEECH = { model: "tts-1", input: `Hello ${PASTED}` };

it("no result, error or resource names the data folder or a key", async () => {
  const { wire, stage, generate, edit, speak } = media;
  wire
    .on(OPENAI_ROUTE, reply(200, deltaResponse()), leaky)
    .on(EDIT_ROUTE, reply(200, deltaEdit()), leaky)
    .on(SPEECH_ROUTE, replyBytes("audio/mpeg", mp3(10)), leaky)
    .on(GAMMA_ROUTE, reply(200, gammaResponse(`${wire.origin}/results/a.png`)))
    .on("GET /results/a.png", pixelFile);
  const texts: unknown[] = [];
  let responses = 0;
  for (const [tool, args] of [
    [generate, IMAGE],
    [edit, EDIT],
    [speak, SPEECH],
    [generate, IMAGE],
    [edit, EDIT],
    [speak, SPEECH],
    [generate, { model: "gamma-image-2.0", prompt: IMAGE.prompt }],
    [generate, { ...IMAGE, images: [`/home/${PASTED}`] }],
    [edit, { ...EDIT, images: [`postern://media/${PASTED}`] }],
    [speak, { ...SPEECH, voice: PASTED }],
  ] as const) {
    const { response, error } = await stage.call(tool, args, { progress: true });
    if (response !== null) responses += 1;
    texts.push(response, error === null ? null : [error.code, error.message, error.details.param]);
  }
  expect(responses).toBe(4);
  const resources = await listMediaResources(stage.deps, stage.key());
  expect(resources).toHaveLength(4);
  for (const { uri } of resources) {
    texts.push(await readMediaResource(stage.deps, stage.key(), uri.slice("postern://media/".length)));
  }
  const text = JSON.stringify([texts, resources]);
  for (const secret of [...SECRETS, PASTED, dataDir]) expect(text).not.toContain(secret);
});
