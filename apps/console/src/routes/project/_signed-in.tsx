import type { OperatorSession } from '@roomkeeper/contract'
import { createFileRoute, Outlet, retainSearchParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { OperatorContext } from '#api/OperatorContext.tsx'
import { cloudTabs } from '#app/cloud-tabs.ts'
import { OperatorLayout } from '#app/OperatorLayout.tsx'
import { forgetAccepted } from '#operations/index.ts'
import { noteRoomsSearch } from '#rooms/index.ts'
import { Theme } from '#ui/Theme.tsx'
import { oneOf, readSearch, type SearchOf } from '#ui/url-search.ts'

/** On every page: the tab of Manage Cloud that is open above it. */
const parameters = { cloud: oneOf(cloudTabs) }
type CloudSearch = SearchOf<typeof parameters>

export const Route = createFileRoute('/project/_signed-in')({
  validateSearch: (given): CloudSearch => readSearch(parameters, given),
  // Pages change their own parameters below the dialog.
  search: { middlewares: [retainSearchParams<CloudSearch>(['cloud'])] },
  beforeLoad: async ({ location }) => {
    // Loaded on demand: the sign-in page needs neither the contract nor the calls.
    const [{ requireOperator }, { lookForProblems }] = await Promise.all([
      import('#session/session.ts'),
      import('#overview/index.ts'),
    ])
    const operator = await requireOperator(location.href)
    await lookForProblems()
    return { operator }
  },
  component: OperatorArea,
})

function OperatorArea() {
  const { operator } = Route.useRouteContext()
  // Nothing of a page outlives a change of the operator, which may have happened in another tab.
  return <AreaOf key={operator.email} operator={operator} />
}

function AreaOf({ operator }: { operator: OperatorSession }) {
  useEffect(() => {
    // A search often is the name or the address of a customer, so the next operator does not get it.
    const forget = () => {
      noteRoomsSearch({})
      forgetAccepted()
    }
    return forget
  }, [])
  return (
    <Theme>
      <OperatorContext value={operator}>
        <OperatorLayout>
          <Outlet />
        </OperatorLayout>
      </OperatorContext>
    </Theme>
  )
}
