import { createFileRoute } from '@tanstack/react-router'
import { ChangePasswordPage } from '#operators/ChangePasswordPage.tsx'

export const Route = createFileRoute('/project/_signed-in/change_operator_password')({ component: ChangePasswordPage })
