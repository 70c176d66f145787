import { tokenStates } from '@roomkeeper/contract'
import { createFileRoute } from '@tanstack/react-router'
import { TokensPage } from '#tokens/TokensPage.tsx'
import { oneOf, page, pageSize, searchOf, text } from '#ui/url-search.ts'

export const Route = createFileRoute('/project/_signed-in/tokens')({
  validateSearch: searchOf({ page, size: pageSize, search: text(320), state: oneOf(tokenStates) }),
  component: TokensPage,
})
