/** Routes whose handlers are on their way. Nothing may be left here when a version is finished. */
import type { RouteName } from '@roomkeeper/contract'
import type { Handlers } from '#platform/http/handler.ts'

export function unbuilt<Name extends RouteName>(...names: Name[]): Pick<Handlers, Name> {
  const refuseCall = async () => {
    throw new Error('This call is not built yet.')
  }
  return Object.fromEntries(names.map((name) => [name, refuseCall])) as unknown as Pick<Handlers, Name>
}
