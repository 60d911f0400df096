import { LoaderCircle } from "lucide-react";
import type { ReactNode } from "react";
import { Empty } from "../../../components/ui/states.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import type { Job } from "../calls/jobs.ts";
import { CallLine } from "./call-line.tsx";
import { FaultNote } from "./fault-note.tsx";

export interface JobListProps<Result> {
  readonly jobs: readonly Job<Result>[];
  readonly icon: ReactNode;
  /** Help text about the list and examples to try. */
  readonly help: string;
  readonly renderResult: (result: Result, job: Job<Result>) => ReactNode;
}

/** Requests of this tab and their results, newest first. */
export function JobList<Result>({ jobs, icon, help, renderResult }: JobListProps<Result>): ReactNode {
  const t = useMessages();
  const newest = jobs[0];
  return (
    <section aria-label={t.playground.responses} className="flex min-w-0 flex-col gap-4">
      <output className="sr-only">{newest === undefined ? "" : t.playground.statuses[newest.status]}</output>
      {jobs.length === 0 ? (
        <div className="panel">
          <Empty icon={icon} title={t.playground.nothing} help={help} />
        </div>
      ) : (
        jobs.map((job) => (
          <article key={job.id} aria-label={job.title} className="panel flex min-w-0 flex-col gap-2.5 p-3.5">
            <h2 className="line-clamp-3 font-medium whitespace-pre-wrap wrap-anywhere">{job.title}</h2>
            {job.status === "running" && <Waiting />}
            {job.status === "stopped" && <p className="text-muted">{t.playground.stopped}</p>}
            {job.fault !== null && <FaultNote fault={job.fault} />}
            {job.result !== null && renderResult(job.result, job)}
            <CallLine facts={job.facts} />
          </article>
        ))
      )}
    </section>
  );
}

export function Waiting(): ReactNode {
  const t = useMessages();
  return (
    <p className="late flex items-center gap-2 text-muted">
      <LoaderCircle size={15} aria-hidden className="shrink-0 animate-spin" />
      {t.playground.waiting}
    </p>
  );
}
