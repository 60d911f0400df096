import type { ReactNode } from "react";
import { useGateway } from "../../../api/gateway.tsx";
import type { V1Request } from "../../../api/v1/call-v1.ts";
import { useMessages } from "../../../lib/i18n.tsx";
import type { Job, Jobs } from "../calls/jobs.ts";
import type { Kind } from "../kinds.ts";
import { useMemory } from "../memory.ts";
import { sayAddress } from "../say-address.ts";
import { CopyAs } from "./copy-as.tsx";
import { JobForm } from "./job-form.tsx";
import { JobList } from "./job-list.tsx";
import { ModelField } from "./model-field.tsx";
import { Quote, type QuoteProps } from "./quote.tsx";

/** What differs between the tabs whose answer comes in one piece. */
export interface JobTabProps<Result> {
  readonly kind: Exclude<Kind, "chat">;
  readonly model: string;
  readonly onModel: (model: string) => void;
  /** What is asked: the heading of its response. */
  readonly title: string;
  /** What the address remembers of it. */
  readonly prompt: string;
  readonly jobs: Jobs<Result>;
  /** Whether there is enough to send. */
  readonly ready: boolean;
  /** The call; made when it is sent. */
  readonly request: () => V1Request | Promise<V1Request>;
  /** The same for a program that is copied, where it is made in another way. */
  readonly sample?: () => V1Request | Promise<V1Request>;
  /** Absent where the price hangs on a file, which is too large for a quote. */
  readonly quote?: Pick<QuoteProps, "tool" | "stamp"> & { ask(): Readonly<Record<string, unknown>> };
  readonly icon: ReactNode;
  /** What appears where nothing was asked yet. */
  readonly help: string;
  readonly renderResult: (result: Result, job: Job<Result>) => ReactNode;
  /** Stands over the responses. */
  readonly above?: ReactNode;
  /** The fields below the model's. */
  readonly children: ReactNode;
}

/** A form and, beside or below it, what came of it. */
export function JobTab<Result>(props: JobTabProps<Result>): ReactNode {
  const t = useMessages();
  const { client } = useGateway();
  const { kind, model, ready, jobs, request, sample = request, quote } = props;
  const { jobs: list } = useMemory(jobs.list);
  const send = (): void => {
    sayAddress(kind, model, props.prompt);
    jobs.start(client, { title: props.title, model, request });
  };
  return (
    <div className="grid gap-4 min-[900px]:grid-cols-[minmax(300px,380px)_minmax(0,1fr)]">
      <JobForm
        label={t.playground.tabs[kind]}
        running={list.some(({ status }) => status === "running")}
        ready={ready}
        onSend={send}
        onStop={jobs.stop}
        actions={
          <>
            <CopyAs request={() => (ready ? sample() : null)} />
            {quote !== undefined && <Quote {...quote} ask={() => (ready ? quote.ask() : null)} />}
          </>
        }
      >
        <ModelField kind={kind} value={model} onChange={props.onModel} />
        {props.children}
      </JobForm>
      <div className="flex min-w-0 flex-col gap-4">
        {props.above}
        <JobList jobs={list} icon={props.icon} help={props.help} renderResult={props.renderResult} />
      </div>
    </div>
  );
}
