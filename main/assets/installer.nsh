; Included by the installer for Windows. An update runs the uninstaller too, and keeps both.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    ; Start at login, as Electron writes it, and the links that Postern opens.
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "app.postern.desktop"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "app.postern.desktop"
    DeleteRegKey HKCU "Software\Classes\postern"
  ${endIf}
!macroend
