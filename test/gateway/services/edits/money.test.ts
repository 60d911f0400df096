import { createConnection, type Socket } from "node:net";
import { beforeEach, describe, expect, it } from "vitest";
import { EDIT_USAGE, deltaEdit, epsilonEdit, fieldsSeen, postForm } from "../../../support/edit-acts.ts";
import { formOf } from "../../../support/forms.ts";
import { PIXEL, imageEvent } from "../../../support/image-acts.ts";
import { png } from "../../../support/pictures.ts";
import { KEY, until, providersAt } from "../../../support/running-gateway.ts";
import { reply, replyEvents } from "../../../support/wire-provider.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

const ROUTE = "POST /v1/images/edits";
const wire = useWire();
const postern = useGateway(() => ({ env: providersAt({ OPENAI: `${wire.origin}/v1` }) }));
beforeEach(() => wire.reset());

const edit = (fields: Readonly<Record<string, string>> = {}): Promise<Response> =>
  postForm(postern, formOf({ model: "delta-image-2", prompt: "Add a hat", ...fields }, [["image", png()]]));

describe("what an edit costs", () => {
  it("is the provider's tokens, text and image apart", async () => {
    wire.on(ROUTE, reply(200, deltaEdit()));
    await (await edit()).text();
    const receipt = await postern.receipt();
    expect(receipt).toMatchObject({
      endpoint: "edits",
      model: "delta-image-2",
      outcome: "completed",
      estimated: false,
    });
    // $5, $8 and $30 a million (docs/providers/openai.md#prices).
    expect(receipt.terms.map(({ unit, quantity, nano }) => [unit, quantity, nano])).toEqual([
      ["input", 4, 20_000],
      ["image_input", 40, 320_000],
      ["image_output", 4_160, 124_800_000],
    ]);
    expect(receipt.nano).toBe(125_140_000);
  });

  it.each([
    ["256x256", 16_000_000],
    ["512x512", 18_000_000],
    ["1024x1024", 20_000_000],
    ["auto", 20_000_000],
  ])("is by the image at epsilon: %s", async (size, nano) => {
    wire.on(ROUTE, reply(200, epsilonEdit(2)));
    await (await edit({ model: "epsilon-2", size, n: "2" })).text();
    const receipt = await postern.receipt();
    expect(receipt.terms).toMatchObject([{ unit: "image", quantity: 2 }]);
    expect(receipt.nano).toBe(2 * nano);
  });
});

it("another attempt sends the very same bytes", async () => {
  wire.on(
    ROUTE,
    reply(429, { error: { message: "slow down", type: "rate_limit_error", param: null, code: null } }),
    reply(200, deltaEdit()),
  );
  expect((await edit()).status).toBe(200);
  const [first, second] = wire.seen;
  expect(wire.seen).toHaveLength(2);
  expect(second?.headers["content-type"]).toBe(first?.headers["content-type"]);
  expect(second?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true);
});

describe("a streamed edit", () => {
  const settings = { b64_json: PIXEL.toString("base64"), created_at: 1, size: "1024x1024" };
  const partial = imageEvent({ type: "image_edit.partial_image", ...settings, partial_image_index: 0 });
  const completed = imageEvent({ type: "image_edit.completed", ...settings, usage: EDIT_USAGE });

  it("passes byte for byte and is billed by its usage", async () => {
    wire.on(ROUTE, replyEvents(partial, completed));
    const response = await edit({ stream: "true", partial_images: "1" });
    expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    expect(await response.text()).toBe(partial + completed);
    expect(await postern.receipt()).toMatchObject({ stream: true, outcome: "completed", nano: 125_140_000 });
    const [seen] = wire.seen;
    expect(seen === undefined ? null : await fieldsSeen(seen)).toMatchObject({ stream: "true", partial_images: "1" });
  });
});

it("uploads that find no room learn when to come back, and room is made when others have gone", async () => {
  const MIB = 1024 * 1024;
  /** Announces a form and sends the first bytes of it; they stay in memory until its connection goes. */
  const upload = (bytes: number): { socket: Socket; response: Promise<string> } => {
    const socket = createConnection(postern.port, "127.0.0.1");
    const response = new Promise<string>((resolve) => {
      let text = "";
      socket.on("data", (chunk) => {
        text += chunk.toString();
        if (text.includes("HTTP/1.1 4")) resolve(text);
      });
      socket.on("error", () => undefined);
      socket.on("close", () => resolve(text));
    });
    socket.write(
      `POST /v1/images/edits HTTP/1.1\r\nHost: 127.0.0.1:${postern.port}\r\nAuthorization: Bearer ${KEY}\r\n` +
        `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${96 * MIB}\r\n\r\n`,
    );
    socket.write(Buffer.alloc(bytes));
    return { socket, response };
  };
  const sent = (socket: Socket): Promise<void> =>
    until(() => socket.bytesWritten > 60 * MIB && socket.writableLength === 0);
  const first = upload(60 * MIB);
  await sent(first.socket);
  const second = upload(60 * MIB);
  expect(await second.response).toMatch(/^HTTP\/1\.1 429 [^]*retry-after: 5/i);
  // A common one fits next to it.
  wire.on(ROUTE, reply(200, deltaEdit()));
  expect((await edit()).status).toBe(200);
  first.socket.destroy();
  second.socket.destroy();
  await until(async () => {
    const third = upload(60 * MIB);
    const refused = await Promise.race([third.response, sent(third.socket).then(() => "")]);
    third.socket.destroy();
    return refused === "";
  });
});
