import { createFileRoute } from '@tanstack/react-router'
import { useCallback, useEffect } from 'react'
import { withoutCloudParam } from '#app/cloud-tabs.ts'
import { RoomsPage } from '#rooms/list/RoomsPage.tsx'
import { type ChangeSearch, noteRoomsSearch, parseRoomsSearch, type RoomsSearch } from '#rooms/list/search.ts'

export const Route = createFileRoute('/project/_signed-in/administration')({
  validateSearch: parseRoomsSearch,
  component: Administration,
})

function Administration() {
  const search = Route.useSearch({ select: withoutCloudParam<RoomsSearch>, structuralSharing: true })
  const navigate = Route.useNavigate()
  const changeSearch = useCallback<ChangeSearch>(
    (to, how) => void navigate({ search: to, replace: how?.replace ?? false }),
    [navigate],
  )
  const open = useCallback(
    (id: string) => void navigate({ to: '/project/edit_project_room/$id', params: { id } }),
    [navigate],
  )
  useEffect(() => noteRoomsSearch(search), [search])
  return <RoomsPage search={search} onSearch={changeSearch} onOpen={open} />
}
