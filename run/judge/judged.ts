import type { Certificate } from '../../contract/certificate.ts';
import type { Judgement } from '../../contract/judgement.ts';
import type { TraceKind } from '../../contract/ndjson.ts';
import type { Trace } from '../../contract/trace.ts';
import type { ClientReport } from '../../reports/clients/client-report.ts';
import type { DriveReport } from '../../reports/drive/drive-result.ts';
import type { HistoryLine } from '../../reports/history/history-line.ts';
import type { Report } from '../../reports/result.ts';
import type { DeliveriesPage } from '../../reports/webhooks/page/page-delivery.ts';
import type { WebhookReport } from '../../reports/webhooks/webhook-result.ts';

/** What a page about deliveries shows, where the trace lies in this folder. */
type PageOf = (folder: string) => DeliveriesPage;

type Found = {
  readonly deployment: {
    readonly report: Report;
    readonly judgement: Judgement;
    /** What proves each violation of the report. */
    readonly certificates: readonly Certificate[];
    /** The trace that they are about, where it is no file yet: several that were judged as one. */
    readonly mergedTrace: Trace | null;
    readonly past: readonly HistoryLine[];
  };
  readonly capture: { readonly report: WebhookReport; readonly page: PageOf };
  readonly drive: { readonly report: DriveReport; readonly page: PageOf };
  readonly client: { readonly report: ClientReport };
};

/** A file of a report that could not be written. */
export type Unwritten = { readonly name: string; readonly error: unknown };

/** What judging a trace of some kind gives. */
export type JudgedTrace<Kind extends TraceKind = TraceKind> = {
  readonly [One in Kind]: { readonly kind: One; readonly unwritten?: readonly Unwritten[] } & Found[One];
}[Kind];
