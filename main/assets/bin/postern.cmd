@"%~dp0..\..\Postern.exe" %*
