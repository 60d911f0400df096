/** Observer of a response body. */
export interface BodyWatch {
  /** Called once: when the last byte was taken (`whole`), or when the client left before. */
  readonly onEnd: (whole: boolean) => void;
  /** Called at the end for a last chunk to write; null for none. */
  readonly farewell: () => Uint8Array | null;
}

/** Returns the same response with an observer of its end. */
export function watchBody(response: Response, { onEnd, farewell }: BodyWatch): Response {
  if (response.body === null) return response;
  const reader = response.body.getReader();
  let left = false;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (left) return;
        if (!done) {
          controller.enqueue(value);
          return;
        }
        const last = farewell();
        if (last !== null) controller.enqueue(last);
        controller.close();
        onEnd(true);
      },
      async cancel(reason) {
        left = true;
        onEnd(false);
        await reader.cancel(reason);
      },
    },
    // Nothing is pulled before it is requested, because pulled data counts as delivered.
    { highWaterMark: 0 },
  );
  return new Response(body, { status: response.status, headers: response.headers });
}
