# Installs a release of dupfind for the user who runs it, on Windows:
#
#     powershell -ExecutionPolicy Bypass -File install.ps1
#
# DUPFIND_BIN is the folder it goes to, DUPFIND_VERSION the release, DUPFIND_RELEASES the address of a mirror, which
# holds folders vVERSION.
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'

$version = if ($env:DUPFIND_VERSION) { $env:DUPFIND_VERSION } else { '@version@' }
$releases = if ($env:DUPFIND_RELEASES) { $env:DUPFIND_RELEASES } else { '@repository@/releases/download' }
$bin = if ($env:DUPFIND_BIN) { $env:DUPFIND_BIN } else { Join-Path $env:LOCALAPPDATA 'Programs\dupfind' }

# Windows on Arm runs programs for x86-64 too.
$name = "dupfind-v$version-x86_64-pc-windows-msvc"
$work = Join-Path ([IO.Path]::GetTempPath()) ([IO.Path]::GetRandomFileName())
New-Item -ItemType Directory -Path $work | Out-Null
try {
    $archive = Join-Path $work "$name.zip"
    Invoke-WebRequest -UseBasicParsing -Uri "$releases/v$version/$name.zip" -OutFile $archive
    Invoke-WebRequest -UseBasicParsing -Uri "$releases/v$version/$name.zip.sha256" -OutFile "$archive.sha256"
    $wanted = (Get-Content "$archive.sha256" -TotalCount 1).Substring(0, 64)
    if ((Get-FileHash $archive -Algorithm SHA256).Hash -ne $wanted) {
        throw 'dupfind: the archive is not what its checksum says'
    }
    Expand-Archive -Path $archive -DestinationPath $work
    New-Item -ItemType Directory -Path $bin -Force | Out-Null
    Copy-Item (Join-Path $work "$name\dupfind.exe") $bin -Force
} finally {
    Remove-Item $work -Recurse -Force
}
& (Join-Path $bin 'dupfind.exe') --version
# As it is kept: what is written as a variable stays one.
$key = [Microsoft.Win32.Registry]::CurrentUser.OpenSubKey('Environment', $true)
$path = $key.GetValue('Path', '', 'DoNotExpandEnvironmentNames')
$parts = @($path -split ';' | Where-Object { $_ })
if ($parts -notcontains $bin) {
    $key.SetValue('Path', (($parts + $bin) -join ';'), 'ExpandString')
    # Removing a variable that nobody has tells running programs that the variables changed.
    [Environment]::SetEnvironmentVariable([guid]::NewGuid(), [NullString]::Value, 'User')
    Write-Output "$bin is in PATH for every terminal that you open from now on"
}
