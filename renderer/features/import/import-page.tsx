import { useQuery } from "@tanstack/react-query";
import { FileSearch, Undo2 } from "lucide-react";
import { useId, useState, type ReactNode } from "react";
import type { ImportProgram, ImportSource } from "../../../gateway/contract/import-operations.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import { PageHeader } from "../../components/frame/page-header.tsx";
import { SetupUndoDialog } from "../../components/setup/setup-undo-dialog.tsx";
import { Badge } from "../../components/ui/badge.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Moment } from "../../components/ui/figures.tsx";
import { Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { replaceParams, useRoute } from "../../lib/router.ts";
import { ImportDialog } from "./import-dialog.tsx";
import { OtherPlace } from "./other-place.tsx";

/** Takes over what other programs are set up with. `program` in the address opens one. */
export function ImportPage(): ReactNode {
  const t = useMessages();
  const { client } = useGateway();
  const { data, error, refetch } = useQuery({
    queryKey: [queryNames.imports],
    queryFn: async () => (await client.call("listImportPrograms")).data,
  });
  const [source, setSource] = useState<ImportSource | null>(null);
  const [undoing, setUndoing] = useState<{ readonly id: string; readonly label: string } | null>(null);
  const { params } = useRoute();
  const requested = params.get("program");
  const linked = data?.find(({ id }) => id === requested);
  const shown = source ?? (linked === undefined ? null : { program: linked.id });
  const close = (): void => {
    setSource(null);
    if (requested !== null) replaceParams({ program: null });
  };
  if (data === undefined)
    return (
      <>
        <PageHeader title={t.pages.import} />
        <section className="panel">
          {error === null ? <SkeletonRows rows={8} /> : <Failure error={error} onRetry={() => void refetch()} />}
        </section>
      </>
    );
  const found = data.filter(({ files, applied }) => files.length > 0 || applied !== null);
  return (
    <>
      <PageHeader title={t.pages.import} />
      <p className="mb-4 max-w-180 text-muted">{t.import.about}</p>
      {found.length === 0 && <p className="mb-4">{t.import.noneFound}</p>}
      <div className="grid items-start gap-3 min-[900px]:grid-cols-2">
        {found.map((program) => (
          <ProgramCard
            key={program.id}
            program={program}
            onLook={() => setSource({ program: program.id })}
            onUndo={() => program.applied !== null && setUndoing({ id: program.applied.id, label: program.label })}
          />
        ))}
      </div>
      <OtherPlace programs={data} onLook={setSource} />
      <ImportDialog source={shown} programs={data} onClose={close} />
      <SetupUndoDialog setup={undoing} onClose={() => setUndoing(null)} />
    </>
  );
}

interface ProgramCardProps {
  readonly program: ImportProgram;
  readonly onLook: () => void;
  readonly onUndo: () => void;
}

function ProgramCard({ program, onLook, onUndo }: ProgramCardProps): ReactNode {
  const t = useMessages();
  const titleId = useId();
  const { label, files, applied } = program;
  return (
    <section className="panel flex min-w-0 flex-col" aria-labelledby={titleId}>
      <div className="flex items-center gap-3 px-3.5 pt-3">
        <h2 id={titleId} className="min-w-0 grow truncate font-semibold">
          {label}
        </h2>
        {applied !== null && <Badge tone="success">{t.import.imported}</Badge>}
      </div>
      <div className="grow px-3.5 pt-2 pb-3">
        <ul aria-label={t.import.files} className="text-meta text-faint">
          {files.map((path) => (
            <li key={path} className="font-mono wrap-anywhere">
              {path}
            </li>
          ))}
        </ul>
        {files.length === 0 && <p className="text-meta text-faint">{t.import.filesGone}</p>}
        {applied !== null && (
          <p className="mt-1.5 text-muted">
            {t.import.importedAt} <Moment at={applied.at} />
          </p>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-1.5 border-t border-line px-3.5 py-2">
        {files.length > 0 && (
          <Button
            look={applied === null ? "primary" : "plain"}
            icon={<FileSearch size={14} aria-hidden />}
            aria-label={t.import.lookAt(label)}
            onClick={onLook}
          >
            {t.import.look}
          </Button>
        )}
        {applied !== null && (
          <Button icon={<Undo2 size={14} aria-hidden />} aria-label={t.import.undoOf(label)} onClick={onUndo}>
            {t.setup.undo}
          </Button>
        )}
      </div>
    </section>
  );
}
