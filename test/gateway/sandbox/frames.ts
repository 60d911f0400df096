/** One event of a stream of the dialects that name their events. */
export interface Frame {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The events of a stream; fails where one is not `event:` and `data:`. */
export function framesOf(stream: string): readonly Frame[] {
  return stream
    .split("\n\n")
    .filter((frame) => frame !== "")
    .map((frame) => {
      const [, event, data] = /^event: (.+)\ndata: (.+)$/.exec(frame) ?? [];
      if (event === undefined || data === undefined) throw new Error(`not an event: ${frame}`);
      return { event, data: JSON.parse(data) as Record<string, unknown> };
    });
}
