import { createFileRoute } from '@tanstack/react-router'
import { requires } from '#app/requires.ts'
import { OperatorsPage } from '#operators/index.ts'
import { lastRoomsSearch } from '#rooms/index.ts'

export const Route = createFileRoute('/project/_signed-in/operators')({
  beforeLoad: requires('super'),
  component: Operators,
})

function Operators() {
  const navigate = Route.useNavigate()
  return <OperatorsPage onBack={() => void navigate({ to: '/project/administration', search: lastRoomsSearch() })} />
}
