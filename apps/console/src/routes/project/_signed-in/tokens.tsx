import { createFileRoute } from '@tanstack/react-router'
import { ofPage } from '#app/cloud-tabs.ts'
import { lastRoomsSearch } from '#rooms/index.ts'
import { parseTokensSearch, TokensPage, type TokensSearch } from '#tokens/index.ts'

export const Route = createFileRoute('/project/_signed-in/tokens')({
  validateSearch: (given): TokensSearch => parseTokensSearch(given),
  component: Tokens,
})

function Tokens() {
  const search = Route.useSearch({ select: ofPage<TokensSearch>, structuralSharing: true })
  const navigate = Route.useNavigate()
  return (
    <TokensPage
      search={search}
      onSearch={(to) => void navigate({ search: parseTokensSearch({ ...to }) })}
      onBack={() => void navigate({ to: '/project/administration', search: lastRoomsSearch() })}
    />
  )
}
