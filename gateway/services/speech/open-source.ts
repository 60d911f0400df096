import { parseJson } from "../../lib/json.ts";
import type { Downloader } from "../../upstream/download.ts";
import { bodyChunks } from "../../upstream/body-chunks.ts";
import { SHORT_RESPONSE_BYTES } from "../calls/whole-response.ts";
import { LastUnits, getSpeechEvents } from "./speech-events.ts";
import { asMp3, asWav, getSpeechFile } from "./speech-file.ts";
import { EVENTS_TYPE } from "./client-events.ts";
import { NotSpeech, getContentType } from "./speech-source.ts";
import type { SpeechBytes, SpeechInput, SpeechSource } from "./speech-source.ts";

/** The sound in a provider's response, whichever way the provider gives it. Nothing is read before the first piece is taken. */
export function openSource(downloader: Downloader, input: SpeechInput): SpeechSource {
  const { exchange } = input.opened;
  const type = (exchange.headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  switch (input.adapter.responseKind(type)) {
    case "audio":
      return {
        contentType: type.startsWith("audio/") ? type : getContentType(input.format),
        events: false,
        bare: true,
        pieces: same(bodyChunks(exchange)),
        units: () => null,
        abort: () => exchange.abort(),
      };
    case "relay":
      return relaySource(input);
    case "pieces":
      return fetchedSource(downloader, input, getPieces);
    case "document":
    case null:
      return fetchedSource(downloader, input, getDocument);
  }
}

function relaySource(input: SpeechInput): SpeechSource {
  const last = new LastUnits();
  async function* pieces(): AsyncGenerator<SpeechBytes, void, undefined> {
    for await (const { raw, piece } of getSpeechEvents(input)) {
      if (piece !== null) last.note(piece);
      yield { send: Buffer.from(raw), sound: piece?.audio ?? NOTHING };
    }
  }
  return {
    contentType: EVENTS_TYPE,
    events: true,
    bare: false,
    pieces: pieces(),
    units: () => last.units,
    abort: () => input.opened.exchange.abort(),
  };
}

const NOTHING = Buffer.alloc(0);

/** A source that may go on at another address than the provider's. */
interface Fetching {
  readonly downloader: Downloader;
  readonly last: LastUnits;
  readonly moved: (abort: () => void) => void;
}

function fetchedSource(
  downloader: Downloader,
  input: SpeechInput,
  read: (input: SpeechInput, fetching: Fetching) => AsyncGenerator<Buffer, void, undefined>,
): SpeechSource {
  const last = new LastUnits();
  let abort = (): void => input.opened.exchange.abort();
  const moved = (to: () => void): void => {
    abort = to;
  };
  return {
    contentType: getContentType(input.format),
    events: false,
    bare: false,
    pieces: same(read(input, { downloader, last, moved })),
    units: () => last.units,
    abort: () => abort(),
  };
}

/**
 * Yields samples from events, encoded as they arrive; a stream that only names a file at its end is treated like a
 * document.
 */
async function* getPieces(input: SpeechInput, fetching: Fetching): AsyncGenerator<Buffer, void, undefined> {
  let url: string | null = null;
  let sounded = false;
  async function* samples(): AsyncGenerator<Buffer, void, undefined> {
    for await (const { piece } of getSpeechEvents(input)) {
      if (piece === null) continue;
      fetching.last.note(piece);
      url = piece.url ?? url;
      if (piece.audio === null || piece.audio.length === 0) continue;
      sounded = true;
      yield piece.audio;
    }
  }
  yield* input.format === "mp3" ? asMp3(samples()) : asWav(samples());
  if (!sounded && url !== null) yield* getFile(input, fetching, url);
}

async function* getDocument(input: SpeechInput, fetching: Fetching): AsyncGenerator<Buffer, void, undefined> {
  const response = parseJson(await input.opened.exchange.collect(SHORT_RESPONSE_BYTES));
  const found = input.adapter.fromDocument(response);
  if (found === null) throw new NotSpeech(response);
  fetching.last.note(found);
  yield* getFile(input, fetching, found.url);
}

function getFile(
  { opened, format }: SpeechInput,
  { downloader, moved }: Fetching,
  url: string,
): AsyncGenerator<Buffer> {
  return getSpeechFile(downloader, { url, connection: opened.candidate.connection }, format, moved);
}

async function* same(chunks: AsyncIterable<Buffer>): AsyncGenerator<SpeechBytes, void, undefined> {
  for await (const chunk of chunks) yield { send: chunk, sound: chunk };
}
