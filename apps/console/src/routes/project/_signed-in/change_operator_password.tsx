import { createFileRoute } from '@tanstack/react-router'
import { ChangePasswordPage } from '#operators/index.ts'

export const Route = createFileRoute('/project/_signed-in/change_operator_password')({
  component: ChangeOperatorPassword,
})

function ChangeOperatorPassword() {
  const navigate = Route.useNavigate()
  return <ChangePasswordPage onLeave={() => void navigate({ to: '/project' })} />
}
