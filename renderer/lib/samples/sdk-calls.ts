import type { SampleBody } from "./sample-request.ts";

/** A method of a provider's SDK that makes a call of the API. */
export interface SdkCall {
  readonly sdk: "openai" | "anthropic";
  /** Method name in both Python and TypeScript. */
  readonly method: string;
  /** Kind of response, which decides how it is shown. */
  readonly answer: "chat" | "response" | "message" | "vectors" | "pictures" | "sound" | "words" | "judgement";
  /** Parameters: those without `?` are required. */
  readonly parameters: readonly string[];
}

const CALLS: Readonly<Record<string, SdkCall>> = {
  "/v1/chat/completions": {
    sdk: "openai",
    method: "chat.completions.create",
    answer: "chat",
    parameters: listWords(
      `model messages stream? stream_options? temperature? top_p? max_tokens? max_completion_tokens? seed? stop? n?
       reasoning_effort? response_format? tools? tool_choice? parallel_tool_calls? presence_penalty?
       frequency_penalty? logit_bias? logprobs? top_logprobs? metadata? user? verbosity? service_tier? store?`,
    ),
  },
  "/v1/responses": {
    sdk: "openai",
    method: "responses.create",
    answer: "response",
    parameters: listWords(
      `model input instructions? stream? temperature? top_p? max_output_tokens? reasoning? text? tools? tool_choice?
       previous_response_id? metadata? store? truncation? include?`,
    ),
  },
  "/v1/messages": {
    sdk: "anthropic",
    method: "messages.create",
    answer: "message",
    parameters: listWords(
      `model max_tokens messages system? stream? temperature? top_p? top_k? stop_sequences? tools? tool_choice?
       thinking? metadata?`,
    ),
  },
  "/v1/embeddings": {
    sdk: "openai",
    method: "embeddings.create",
    answer: "vectors",
    parameters: listWords(`model input dimensions? encoding_format? user?`),
  },
  "/v1/images/generations": {
    sdk: "openai",
    method: "images.generate",
    answer: "pictures",
    parameters: listWords(
      `model? prompt n? size? quality? background? output_format? output_compression? response_format? moderation?
       style? user?`,
    ),
  },
  "/v1/images/edits": {
    sdk: "openai",
    method: "images.edit",
    answer: "pictures",
    parameters: listWords(
      `model? image prompt mask? n? size? quality? background? output_format? output_compression? input_fidelity?
       response_format? user?`,
    ),
  },
  "/v1/audio/transcriptions": {
    sdk: "openai",
    method: "audio.transcriptions.create",
    answer: "words",
    parameters: listWords(
      `model file language? prompt? response_format? temperature? timestamp_granularities? include? stream?
       chunking_strategy? known_speaker_names? known_speaker_references?`,
    ),
  },
  "/v1/audio/translations": {
    sdk: "openai",
    method: "audio.translations.create",
    answer: "words",
    parameters: listWords(`model file prompt? response_format? temperature?`),
  },
  "/v1/moderations": {
    sdk: "openai",
    method: "moderations.create",
    answer: "judgement",
    parameters: listWords(`model? input`),
  },
  "/v1/audio/speech": {
    sdk: "openai",
    method: "audio.speech.create",
    answer: "sound",
    parameters: listWords(`model input voice response_format? speed? instructions?`),
  },
};

/** Returns the SDK method for a call; undefined if no SDK method takes all of these fields. */
export function getSdkCall(path: string, fields: SampleBody): SdkCall | undefined {
  const call = Object.hasOwn(CALLS, path) ? CALLS[path] : undefined;
  if (call === undefined) return undefined;
  const known = new Set(call.parameters.map((name) => name.replace("?", "")));
  const whole = call.parameters.every((name) => name.endsWith("?") || fields[name] !== undefined);
  return whole && Object.keys(fields).every((name) => known.has(name)) ? call : undefined;
}

function listWords(text: string): readonly string[] {
  return text.split(/\s+/);
}
