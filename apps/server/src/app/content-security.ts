/** What pages may load: nothing from other origins, except the customers' component on the customer-facing pages. */
import { customerPages } from '@roomkeeper/contract'
import type { FastifyInstance } from 'fastify'

interface OtherOrigins {
  /** Origins that scripts may call. */
  asked?: readonly string[]
  /** Origins of scripts and of whatever these load. */
  scripts?: readonly string[]
}

export function contentSecurity({ asked = [], scripts = [] }: OtherOrigins) {
  const from = ["'self'", ...scripts]
  return {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      scriptSrc: from,
      // Mantine sets its sizes as style attributes.
      styleSrc: [...from, "'unsafe-inline'"],
      imgSrc: [...from, 'data:'],
      fontSrc: from,
      connectSrc: [...from, ...asked],
      objectSrc: ["'none'"],
      baseUri: ["'self'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  }
}

/**
 * Admits the component's origin on the customer-facing pages only: on an operator's page its script could use the
 * operator's session. Must be called after helmet is registered, because it replaces helmet's policy.
 */
export function admitCustomerComponent(app: FastifyInstance, url: string): void {
  const contentSecurityPolicy = contentSecurity({ scripts: [new URL(url).origin] })
  const pages = new Set(['/', ...customerPages.map((page) => `/${page}`)])
  app.addHook('onRequest', async (request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    if (pages.has(path.length > 1 ? path.replace(/\/$/, '') : path)) await reply.helmet({ contentSecurityPolicy })
  })
}
