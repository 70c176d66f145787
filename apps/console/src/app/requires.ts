import type { Access, OperatorSession } from '@roomkeeper/contract'

interface OpenedPage {
  context: { operator: OperatorSession }
}

/** For `beforeLoad` of a page: sends operators whose role has no such access to the list of rooms. */
export function requires(access: Access) {
  return async ({ context }: OpenedPage): Promise<void> => {
    const { requireAccess } = await import('#session/session.ts')
    requireAccess(context.operator, access)
  }
}
