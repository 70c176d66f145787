/** The tables of webhooks and of their deliveries. */
import type { DeliveryFailure, DeliveryState } from '@roomkeeper/contract'
import type { Generated, JSONColumnType } from 'kysely'
import type { Defaulted, ReadOnlyColumn } from '#platform/column-types.ts'

export interface WebhookTables {
  webhooks: WebhooksTable
  webhookDeliveries: WebhookDeliveriesTable
}

export interface WebhooksTable {
  id: Generated<string>
  name: string
  url: string
  events: string[]
  isOn: boolean
  version: Defaulted<number>
  /** Sealed. */
  secret: string
  /** Those that still sign along. */
  formerSecrets: JSONColumnType<FormerSecret[], string | undefined, string>
  lastDeliveredAt: Defaulted<string | null>
  /** By a worker. */
  lastTakenAt: Defaulted<string | null>
  failingSince: Defaulted<string | null>
  switchedOffAt: Defaulted<string | null>
  /** Then nobody sees it any more, it is off, and housekeeping removes it after its deliveries. */
  deletedAt: Defaulted<string | null>
  createdAt: ReadOnlyColumn<string>
  /** As whom, like `changedBy`: of settings and secret, by operators. */
  createdBy: string
  changedAt: Defaulted<string>
  changedBy: string
}

export interface FormerSecret {
  /** Sealed. */
  secret: string
  until: string
}

/** One row for each event and each webhook that listened. */
export interface WebhookDeliveriesTable {
  id: Generated<string>
  /** The order of the events with one ordering key. */
  n: ReadOnlyColumn<number>
  webhookId: string
  messageId: string
  type: string
  orderingKey: string
  /** Of an e-mail: the operation that sends it. */
  operationId: Defaulted<string | null>
  /** Of a room that may be gone. */
  roomId: string | null
  roomName: string | null
  at: string
  /** Byte for byte as it is signed. */
  body: string
  state: Defaulted<DeliveryState>
  tries: Defaulted<number>
  lastTryAt: Defaulted<string | null>
  /** While it is claimed: until when that counts. Null: it does not wait. */
  nextTryAt: Defaulted<string | null>
  /** Of whom is trying it just now. */
  claim: Defaulted<string | null>
  /** When it was claimed to be sent by hand; null: a worker has claimed it last. */
  byHandAt: Defaulted<string | null>
  answerStatus: Defaulted<number | null>
  answerBody: Defaulted<string | null>
  answerMilliseconds: Defaulted<number | null>
  failure: Defaulted<DeliveryFailure | null>
  /** An e-mail was `unanswered` in one of its tries. */
  mayHaveArrived: Defaulted<boolean>
}
