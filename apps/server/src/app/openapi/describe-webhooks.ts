/** The section `webhooks` of the document: what receivers are sent. */
import { aboutWebhookEvents, type WebhookMessage, webhookBody } from '@roomkeeper/contract'
import { exampleOf } from './examples.ts'
import type { Json, Schemas } from './schemas.ts'

export function describeWebhooks(schemas: Schemas): Json {
  const types = Object.keys(aboutWebhookEvents) as WebhookMessage[]
  return Object.fromEntries(types.map((type) => [type, { post: describeEvent(schemas, type) }]))
}

function describeEvent(schemas: Schemas, type: WebhookMessage): Json {
  const name = type.replace(/(^|\.)(\w)/g, (_, __, letter: string) => letter.toUpperCase())
  const schema = schemas.reference(webhookBody(type), `Webhook${name}`, 'answer')
  return {
    operationId: `webhook${name}`,
    tags: ['Webhooks'],
    summary: aboutWebhookEvents[type],
    // Receivers know us by the signature.
    security: [],
    parameters: signature,
    requestBody: {
      required: true,
      content: { 'application/json': { schema, example: exampleOf(schema, schemas.named) } },
    },
    responses: {
      '2XX': { description: 'The receiver has it.' },
      '4XX': { description: 'Tried again, with growing pauses, for three days; like every other answer, and none.' },
    },
  }
}

const header = (name: string, description: string) => {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } }
}
const signature = [
  header('webhook-id', 'The same for every try: what has arrived already can be told by it.'),
  header('webhook-timestamp', 'When this try was made, in seconds since 1970.'),
  header(
    'webhook-signature',
    'By the Standard Webhooks specification: `v1,` and base64; several are separated by spaces.',
  ),
]
